package io.lambdafs.platform.local.pool;

/** The outcome of an activation, with OpenWhisk's codes. */
public enum Outcome {
    SUCCESS(0, "success", 200),
    /** The function answered an object with a field {@code error}. */
    APPLICATION_ERROR(1, "application error", 502),
    /** The instance died, exceeded a limit, or answered no JSON object. */
    DEVELOPER_ERROR(2, "action developer error", 502),
    /** The platform failed. */
    PLATFORM_ERROR(3, "whisk internal error", 500),
    /** No instance was available in time. */
    NO_CAPACITY(3, "whisk internal error", 503),
    /** No instance could be started: the platform's disk is full. */
    DISK_FULL(3, "whisk internal error", 507);

    private final int code;
    private final String text;
    private final int httpStatus;

    Outcome(int code, String text, int httpStatus) {
        this.code = code;
        this.text = text;
        this.httpStatus = httpStatus;
    }

    /** Returns the record's {@code statusCode}. */
    public int code() {
        return code;
    }

    /** Returns the record's {@code response.status}. */
    public String text() {
        return text;
    }

    /** Returns the HTTP status for a blocking caller. */
    public int httpStatus() {
        return httpStatus;
    }
}
