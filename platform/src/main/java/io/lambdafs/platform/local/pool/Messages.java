package io.lambdafs.platform.local.pool;

import io.lambdafs.platform.Json;

/** OpenWhisk's messages for failed activations, which clients and tools rely on. */
public final class Messages {
    public static final String ABNORMAL_INIT = "The action did not initialize and exited unexpectedly.";
    public static final String ABNORMAL_RUN = "The action did not produce a valid response and exited unexpectedly.";
    public static final String REMOVED = "Action could not be found or may have been deleted.";
    public static final String NO_CAPACITY = "Failed to provision resources to run the action.";
    public static final String OVERLOADED = "System is overloaded, try again later.";
    public static final String NOT_FOUND = "The requested resource does not exist.";

    private Messages() {}

    public static String tooManyInFlight(long count, long allowed) {
        return "Too many concurrent requests in flight (count: " + count + ", allowed: " + allowed + ").";
    }

    public static String tooManyPerMinute(long count, long allowed) {
        return "Too many requests in the last minute (count: " + count + ", allowed: " + allowed + ").";
    }

    static String timedOut(long millis, boolean init) {
        return "The action exceeded its time limits of " + millis + " milliseconds"
                + (init ? " during initialization." : ".");
    }

    static String failedInit(String detail) {
        return "The action failed during initialization" + (detail.isEmpty() ? "." : ": " + detail);
    }

    static String invalidRun(String detail) {
        return "The action did not produce a valid JSON response" + (detail.isEmpty() ? "." : ": " + detail);
    }

    static byte[] result(String error) {
        return Json.bytes(Json.object().put("error", error));
    }
}
