package io.lambdafs.hammer.fleet;

/** A way to pay. */
enum CostModel {
    /** Functions, each millisecond in which one served a request, and each invocation (the paper's §5.2.5). */
    PAY_PER_USE("payPerUseUsd", "functions while they serve"),
    /** Functions, while they are there. */
    SIMPLIFIED("simplifiedUsd", "functions while they are there"),
    /** As many functions as there were at the peak, from the first second to the last. */
    HELD("heldUsd", "functions held at their peak"),
    /** Virtual machines with all processors that it could have, from the first second to the last. */
    MACHINES("machinesUsd", "virtual machines");

    private final String key;
    private final String what;

    CostModel(String key, String what) {
        this.key = key;
        this.what = what;
    }

    /** The name in JSON. */
    String key() {
        return key;
    }

    /** What is paid for, for people. */
    String what() {
        return what;
    }
}
