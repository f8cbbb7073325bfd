package io.lambdafs.client;

import io.lambdafs.model.operation.ReadOperation.GetTotals;
import io.lambdafs.model.operation.Reply;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * The totals of a directory and its quota, as extended attributes for programs that only know files: {@code
 * user.lambdafs.dir.bytes} and the like, each a decimal number. They can be read by name, and are neither listed nor set,
 * so that no copy takes them along. Stateless.
 */
final class TotalsAttributes {
    private static final Map<String, ToLongFunction<Reply.Totals>> ALL = Map.of(
            "files", Reply.Totals::files,
            "directories", Reply.Totals::directories,
            "bytes", Reply.Totals::bytes,
            "space", Reply.Totals::space,
            "quota.names", totals -> totals.quota().names(),
            "quota.space", totals -> totals.quota().space());

    private TotalsAttributes() {}

    static boolean has(String name) {
        return name.startsWith(GetTotals.XATTRS);
    }

    /** Returns the values by name; none of a file, and none for a limit that is not set. */
    static Map<String, byte[]> of(Reply.Totals totals) {
        Map<String, byte[]> found = new HashMap<>();
        ALL.forEach((name, value) -> {
            long number = value.applyAsLong(totals);
            if (totals.directories() > 0 && number >= 0) {
                found.put(GetTotals.XATTRS + name, Long.toString(number).getBytes(StandardCharsets.US_ASCII));
            }
        });
        return found;
    }
}
