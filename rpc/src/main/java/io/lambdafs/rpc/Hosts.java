package io.lambdafs.rpc;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/** Hosts as they stand in addresses: names, IPv4 addresses, and IPv6 addresses with brackets or without. Stateless. */
public final class Hosts {
    private static final int MOST = 65_535;

    private Hosts() {}

    /** Looked up once, and only where it is needed. */
    private static final class Loopback {
        static final String HOST = find();

        private static String find() {
            try {
                InetAddress ipv4 = Inet4Address.getByAddress(new byte[] {127, 0, 0, 1});
                return NetworkInterface.getByInetAddress(ipv4) == null ? "::1" : "127.0.0.1";
            } catch (UnknownHostException | SocketException e) {
                return "127.0.0.1";
            }
        }
    }

    /** Returns this machine's own address: 127.0.0.1, or ::1 where there is no IPv4. */
    public static String loopback() {
        return Loopback.HOST;
    }

    /** Returns a host without the brackets that it may have. */
    public static String bare(String host) {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    /** Returns host:port, an IPv6 address in brackets. */
    public static String withPort(String host, int port) {
        String bare = bare(host);
        return (bare.contains(":") ? "[" + bare + "]" : bare) + ":" + port;
    }

    /** Whether a text is a list of addresses, {@code HOST:PORT[,HOST:PORT…]}; nothing is looked up. */
    public static boolean areAddresses(String list) {
        for (String each : list.split(",", -1)) {
            int colon = each.lastIndexOf(':');
            String port = each.substring(colon + 1);
            if (colon <= 0
                    || !port.matches("[0-9]{1,5}")
                    || Integer.parseInt(port) < 1
                    || Integer.parseInt(port) > MOST) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the addresses of a list, {@code HOST:PORT[,HOST:PORT…]}; names are looked up.
     *
     * @throws IllegalArgumentException the text is no such list
     */
    public static List<InetSocketAddress> addresses(String list) {
        if (!areAddresses(list)) {
            throw new IllegalArgumentException("HOST:PORT[,HOST:PORT…] is expected, not \"" + list + '"');
        }
        return Arrays.stream(list.split(",", -1))
                .map(each -> new InetSocketAddress(
                        bare(each.substring(0, each.lastIndexOf(':'))),
                        Integer.parseInt(each.substring(each.lastIndexOf(':') + 1))))
                .toList();
    }

    /** Returns the host by which this machine reaches what listens there: its own address for what listens everywhere. */
    public static String reached(String listen) {
        String bare = bare(listen);
        return bare.matches("0\\.0\\.0\\.0|[0:]*:[0:]*") ? loopback() : bare;
    }
}
