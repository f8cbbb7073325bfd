package io.lambdafs.functions.serving;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The address ranges that clients may ask an instance to dial, in addition to a call's source address. Immutable. */
public record ClientRanges(List<Range> ranges) {
    /** Addresses of this machine only. */
    public static final ClientRanges LOOPBACK = parse("127.0.0.0/8,::1/128");

    /** Only the caller's own address. */
    public static final ClientRanges NONE = new ClientRanges(List.of());

    private static final String EXPECTED = "ranges like 10.0.0.0/8,fd00::/8, separated by commas";

    /**
     * The addresses with a given prefix.
     *
     * @param bits length of the prefix
     */
    public record Range(InetAddress first, int bits) {
        boolean contains(InetAddress address) {
            byte[] ours = first.getAddress();
            byte[] theirs = address.getAddress();
            int whole = bits / Byte.SIZE;
            int rest = Byte.SIZE - bits % Byte.SIZE;
            return ours.length == theirs.length
                    && Arrays.equals(ours, 0, whole, theirs, 0, whole)
                    && (rest == Byte.SIZE || (ours[whole] ^ theirs[whole]) >> rest << rest == 0);
        }

        @Override
        public String toString() {
            return first.getHostAddress() + "/" + bits;
        }
    }

    public ClientRanges {
        ranges = List.copyOf(ranges);
    }

    /** Returns the default ranges: loopback for an instance that listens there, none for any other. */
    public static ClientRanges beside(String listenHost) {
        InetAddress address = literal(listenHost);
        boolean isLoopback = address == null ? listenHost.equals("localhost") : address.isLoopbackAddress();
        return isLoopback ? LOOPBACK : NONE;
    }

    /**
     * Parses ranges like {@code 10.0.0.0/8,fd00::/8}; an address without a length is a range of one. Fails with {@code
     * INVALID_ARGUMENT}.
     */
    public static ClientRanges parse(String text) {
        return new ClientRanges(Arrays.stream(text.split(","))
                .map(String::strip)
                .filter(each -> !each.isEmpty())
                .map(ClientRanges::range)
                .toList());
    }

    private static Range range(String text) {
        String[] parts = text.split("/", 2);
        InetAddress first = literal(parts[0]);
        if (first != null) {
            int most = first.getAddress().length * Byte.SIZE;
            String length = parts.length == 1 ? String.valueOf(most) : parts[1];
            if (length.matches("[0-9]{1,3}") && Integer.parseInt(length) <= most) {
                return new Range(first, Integer.parseInt(length));
            }
        }
        throw FsException.invalidArgument("\"" + text + "\" is no range of addresses: give " + EXPECTED);
    }

    /** Parses a literal address, with or without brackets and zone; returns null for a name, without resolving it. */
    public static @Nullable InetAddress literal(String host) {
        String bare = host.replaceFirst("^\\[(.*)]$", "$1").replaceFirst("%.*", "");
        if (!bare.matches("[0-9]+(\\.[0-9]+){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")) {
            return null;
        }
        try {
            return InetAddress.getByName(bare);
        } catch (UnknownHostException notAnAddress) {
            return null;
        }
    }

    /**
     * Checks that an address may be dialled.
     *
     * @param caller source address of the call that offers it; null if unknown
     * @throws FsException {@code PERMISSION_DENIED}
     */
    void demand(InetAddress address, @Nullable InetAddress caller) {
        if (!address.equals(caller) && ranges.stream().noneMatch(range -> range.contains(address))) {
            throw new FsException(
                    ErrorCode.PERMISSION_DENIED,
                    "instances do not dial " + address.getHostAddress()
                            + ": allowed are the address that the call came from"
                            + (caller == null ? ", which is not known here" : " (" + caller.getHostAddress() + ")")
                            + (ranges.isEmpty() ? "" : " and " + this)
                            + "; set the client's tcp.advertised-host, or have its range added to clientRanges");
        }
    }

    @Override
    public String toString() {
        return ranges.stream().map(Range::toString).collect(Collectors.joining(","));
    }
}
