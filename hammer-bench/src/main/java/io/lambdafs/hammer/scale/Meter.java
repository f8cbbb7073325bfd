package io.lambdafs.hammer.scale;

/** The utilisation of one part, by the second. Not thread-safe. */
final class Meter {
    private double sum;
    private double most;
    private long seconds;

    /** Notes the utilisation of a second, 0–1. */
    void note(double share) {
        sum += share;
        most = Math.max(most, share);
        seconds++;
    }

    ScaleResult.Part part(String name) {
        return new ScaleResult.Part(name, sum / Math.max(1, seconds), most);
    }
}
