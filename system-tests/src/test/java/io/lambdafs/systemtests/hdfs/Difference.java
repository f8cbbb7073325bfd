package io.lambdafs.systemtests.hdfs;

/**
 * Two answers that are not the same, and are not listed.
 *
 * @param what the step, or the path that the trees differ in after the last
 * @param operation its name
 */
record Difference(String what, String operation, String target, String hdfs, String lambda) {
    /** Name of the comparison of trees. */
    static final String TREE = "tree";

    /** Returns whether another sequence shows the same. */
    boolean isLike(Difference other) {
        return operation.equals(other.operation)
                && target.equals(other.target)
                && hdfs.equals(other.hdfs)
                && lambda.equals(other.lambda);
    }

    /** Returns the kind of the finding; each kind is shown once. */
    String kind() {
        return operation + "|" + abridged(hdfs) + "|" + abridged(lambda);
    }

    private static String abridged(String answer) {
        int blank = answer.indexOf(' ');
        return blank < 0 ? answer : answer.substring(0, blank);
    }
}
