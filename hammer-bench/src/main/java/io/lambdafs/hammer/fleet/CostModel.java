package io.lambdafs.hammer.fleet;

/** A pricing model. */
enum CostModel {
    /** Functions, for each millisecond in which one served a request, and each invocation (the paper's §5.2.5). */
    PAY_PER_USE("payPerUseUsd", "functions while they serve"),
    /** Functions, for their lifetimes. */
    SIMPLIFIED("simplifiedUsd", "functions while they are there"),
    /** As many functions as at the peak, for the whole run. */
    HELD("heldUsd", "functions held at their peak"),
    /** Virtual machines with the maximum number of processors, for the whole run. */
    MACHINES("machinesUsd", "virtual machines");

    private final String key;
    private final String what;

    CostModel(String key, String what) {
        this.key = key;
        this.what = what;
    }

    /** Returns the name used in JSON. */
    String key() {
        return key;
    }

    /** Describes what is paid for, for people. */
    String what() {
        return what;
    }
}
