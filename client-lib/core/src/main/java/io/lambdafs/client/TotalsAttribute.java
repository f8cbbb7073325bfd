package io.lambdafs.client;

import io.lambdafs.model.operation.Reply;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * The totals of a directory and its quota, as extended attributes for programs that only know files: {@code
 * user.lambdafs.dir.bytes} and the like, each a decimal number. They can be read by name, and are neither listed nor set,
 * so that no copy takes them along.
 */
enum TotalsAttribute {
    FILES(Reply.Totals::files),
    DIRECTORIES(Reply.Totals::directories),
    BYTES(Reply.Totals::bytes),
    SPACE(Reply.Totals::space),
    QUOTA_NAMES(totals -> totals.quota().names()),
    QUOTA_SPACE(totals -> totals.quota().space());

    private static final String PREFIX = "user.lambdafs.dir.";

    private final ToLongFunction<Reply.Totals> value;

    TotalsAttribute(ToLongFunction<Reply.Totals> value) {
        this.value = value;
    }

    static boolean is(String name) {
        return name.startsWith(PREFIX);
    }

    /** Returns the values by name; none of a file, and none for a limit that is not set. */
    static Map<String, byte[]> of(Reply.Totals totals) {
        Map<String, byte[]> found = new HashMap<>();
        for (TotalsAttribute each : values()) {
            long number = each.value.applyAsLong(totals);
            if (totals.directories() > 0 && number >= 0) {
                String name = PREFIX + each.name().toLowerCase(Locale.ROOT).replace('_', '.');
                found.put(name, Long.toString(number).getBytes(StandardCharsets.US_ASCII));
            }
        }
        return found;
    }
}
