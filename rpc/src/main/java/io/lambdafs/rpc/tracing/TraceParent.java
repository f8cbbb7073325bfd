package io.lambdafs.rpc.tracing;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The trace context of a sampled request, as propagated between processes. Immutable.
 *
 * @param high first half of the trace's id
 * @param low second half; not both are 0
 * @param span its id; not 0
 */
public record TraceParent(long high, long low, long span) {
    /** Name of the header, and of the field in a call's body (W3C Trace Context). */
    public static final String HEADER = "traceparent";

    private static final Pattern TEXT = Pattern.compile("00-([0-9a-f]{32})-([0-9a-f]{16})-01");

    /** Returns the header's value. */
    public String text() {
        return "00-" + hex(high) + hex(low) + "-" + hex(span) + "-01";
    }

    /** Parses a header's value; empty if it is invalid or the request is not sampled. */
    public static Optional<TraceParent> of(String text) {
        Matcher match = TEXT.matcher(text);
        if (!match.matches()) {
            return Optional.empty();
        }
        String trace = match.group(1);
        TraceParent parent = new TraceParent(
                Long.parseUnsignedLong(trace.substring(0, 16), 16),
                Long.parseUnsignedLong(trace.substring(16), 16),
                Long.parseUnsignedLong(match.group(2), 16));
        return parent.isValid() ? Optional.of(parent) : Optional.empty();
    }

    /** Returns whether its ids are valid, that is, not zero. */
    public boolean isValid() {
        return (high | low) != 0 && span != 0;
    }

    static String hex(long bits) {
        String digits = Long.toHexString(bits);
        return "0".repeat(16 - digits.length()) + digits;
    }
}
