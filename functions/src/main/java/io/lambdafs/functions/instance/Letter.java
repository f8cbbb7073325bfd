package io.lambdafs.functions.instance;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The message on the standard input of a process that is restored from an image: the environment that the image could not
 * have, as {@code NAME=VALUE} in UTF-8, each ended by a zero byte, and one more zero byte. Stateless.
 */
final class Letter {
    /** The environment of a process is shorter on every system. */
    static final int MAX_BYTES = 4 << 20;

    private Letter() {}

    /**
     * Reads a letter, and nothing after it.
     *
     * @throws EOFException if the stream ends before
     */
    static Map<String, String> read(InputStream in) throws IOException {
        Map<String, String> variables = new HashMap<>();
        ByteArrayOutputStream entry = new ByteArrayOutputStream();
        for (int count = 0; count < MAX_BYTES; count++) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("nobody says who this process is");
            } else if (next > 0) {
                entry.write(next);
            } else if (entry.size() == 0) {
                return variables;
            } else {
                add(entry.toString(StandardCharsets.UTF_8), variables);
                entry.reset();
            }
        }
        throw new IOException("a letter has at most " + MAX_BYTES + " bytes");
    }

    private static void add(String entry, Map<String, String> variables) throws IOException {
        int sign = entry.indexOf('=');
        if (sign <= 0) {
            throw new IOException("an entry of a letter is NAME=VALUE");
        }
        variables.put(entry.substring(0, sign), entry.substring(sign + 1));
    }
}
