package io.lambdafs.rpc;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/**
 * Parses and formats hosts in addresses: names, IPv4 addresses, and IPv6 addresses with or without brackets. Stateless.
 */
public final class Hosts {
    private static final int MOST = 65_535;

    private Hosts() {}

    /** Looked up once, on demand. */
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

    /** Returns this machine's loopback address: 127.0.0.1, or ::1 without IPv4. */
    public static String loopback() {
        return Loopback.HOST;
    }

    /** Returns a host without brackets. */
    public static String bare(String host) {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    /** Returns host:port, an IPv6 address in brackets. */
    public static String withPort(String host, int port) {
        String bare = bare(host);
        return (bare.contains(":") ? "[" + bare + "]" : bare) + ":" + port;
    }

    /** Returns whether a string is a list of addresses, {@code HOST:PORT[,HOST:PORT…]}, without resolving names. */
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
     * Returns the addresses in a list, {@code HOST:PORT[,HOST:PORT…]}, resolving names.
     *
     * @throws IllegalArgumentException if it is not such a list
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

    /** Returns the host to reach a listen address from this machine: loopback for a wildcard address. */
    public static String reached(String listen) {
        String bare = bare(listen);
        return bare.matches("0\\.0\\.0\\.0|[0:]*:[0:]*") ? loopback() : bare;
    }
}
