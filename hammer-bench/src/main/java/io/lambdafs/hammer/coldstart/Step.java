package io.lambdafs.hammer.coldstart;

/** A part of a start. */
enum Step {
    /** From the call until the instance's main method runs: the gateway's decision, the process, the JVM. */
    PROCESS("process"),
    /** Until the instance listens: configuration, transport, server. */
    WIRING("wiring"),
    /** Until it has answered {@code /init}; for a prewarmed instance, from the call. */
    INITIALISATION("initialisation"),
    /** Until the caller has its reply: the instance joins and answers the operation. */
    FIRST_REPLY("firstReply"),
    /** From the call to its reply. */
    TOTAL("total");

    private final String label;

    Step(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }
}
