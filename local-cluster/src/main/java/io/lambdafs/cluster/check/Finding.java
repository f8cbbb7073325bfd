package io.lambdafs.cluster.check;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.settings.Json;
import java.util.Locale;

/**
 * The result of one check of a cluster.
 *
 * @param check what was checked, in a word or two
 * @param what the result; for a fault, what is wrong
 * @param why it matters; empty unless it is a fault
 * @param change the remedy; empty unless it is a fault
 */
public record Finding(String check, State state, String what, String why, String change) {
    /** The outcome of a check. */
    public enum State {
        OK,
        FAULT,
        /** It could not be checked; {@code what} says why. */
        UNKNOWN
    }

    public static Finding ok(String check, String what) {
        return new Finding(check, State.OK, what, "", "");
    }

    public static Finding unknown(String check, String why) {
        return new Finding(check, State.UNKNOWN, why, "", "");
    }

    public static Finding fault(String check, String what, String why, String change) {
        return new Finding(check, State.FAULT, what, why, change);
    }

    /** Returns the finding as text. */
    public String line() {
        String line = String.format(Locale.ROOT, "%-7s %-12s %s", state.name().toLowerCase(Locale.ROOT), check, what);
        return state == State.FAULT ? line + "; " + why + ": " + change : line;
    }

    /** Returns the finding as JSON. */
    public ObjectNode json() {
        return Json.object()
                .put("check", check)
                .put("state", state.name().toLowerCase(Locale.ROOT))
                .put("what", what)
                .put("why", why)
                .put("change", change);
    }
}
