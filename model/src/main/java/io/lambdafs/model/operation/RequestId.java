package io.lambdafs.model.operation;

/**
 * Identifies one request of one client session, however often it is sent (exactly-once semantics by slots, as in
 * NFSv4.1). Immutable.
 *
 * @param clientHigh high half of the session's random id
 * @param clientLow low half
 * @param slot 0–{@value #MAX_SLOTS} - 1; one request at a time uses a slot
 * @param sequence rises by one with every request on the slot
 */
public record RequestId(long clientHigh, long clientLow, int slot, long sequence) {
    public static final int MAX_SLOTS = 4_096;

    /** Returns the session as 32 hexadecimal digits. */
    public String client() {
        return hex(clientHigh) + hex(clientLow);
    }

    /** Returns the text for messages and logs. */
    @Override
    public String toString() {
        return hex(clientHigh).substring(8) + "-" + slot + "-" + sequence;
    }

    private static String hex(long bits) {
        String digits = Long.toHexString(bits);
        return "0".repeat(16 - digits.length()) + digits;
    }
}
