package io.lambdafs.cluster.check;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Queries an NDB management server by its line protocol, without NDB's programs. Stateless. */
final class NdbManagement {
    private static final int PATIENCE_MILLIS = 3_000;
    private static final Pattern LINE = Pattern.compile("node\\.([0-9]+)\\.(type|status): *(\\S+)");

    private NdbManagement() {}

    /**
     * Returns the data nodes' states by number, such as {@code STARTED}, {@code STARTING}, {@code NO_CONTACT}.
     *
     * @param address {@code HOST:PORT}
     * @throws IOException if it does not answer, or not like a management server
     */
    static Map<Integer, String> dataNodes(String address) throws IOException {
        int colon = address.lastIndexOf(':');
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))),
                    PATIENCE_MILLIS);
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write("get status\n\n".getBytes(StandardCharsets.US_ASCII));
            return read(
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1)));
        }
    }

    private static Map<Integer, String> read(BufferedReader answer) throws IOException {
        String first = answer.readLine();
        if (first == null || !first.equals("node status")) {
            throw new IOException("it answers as no management server does: " + first);
        }
        Map<Integer, String> types = new TreeMap<>();
        Map<Integer, String> states = new TreeMap<>();
        for (String line = answer.readLine(); line != null && !line.isEmpty(); line = answer.readLine()) {
            Matcher matcher = LINE.matcher(line);
            if (matcher.matches()) {
                (matcher.group(2).equals("type") ? types : states)
                        .put(Integer.valueOf(matcher.group(1)), matcher.group(3));
            }
        }
        states.keySet().removeIf(node -> !"NDB".equals(types.get(node)));
        return states;
    }
}
