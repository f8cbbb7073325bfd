package io.lambdafs.hammer.fleet;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** λFS and another service under the same load: the ratios shown by the paper's figures 8 and 10. Immutable. */
record Beside(PersonaRun lambdaFs, PersonaRun other) {
    /** Pairs λFS with each other service of a run. */
    static List<Beside> of(List<PersonaRun> runs) {
        List<Beside> all = new ArrayList<>();
        for (PersonaRun first : runs) {
            for (PersonaRun other : runs) {
                if (first.persona() == Persona.LAMBDAFS && other.persona() != Persona.LAMBDAFS) {
                    all.add(new Beside(first, other));
                }
            }
        }
        return all;
    }

    /** Returns λFS's throughput in the burst, as a multiple of the other's; 0 if either did nothing. */
    double burstDone() {
        return ratio(lambdaFs.burstOpsPerSecond(), other.burstOpsPerSecond());
    }

    /** Returns the mean latency of λFS's reads in the burst, as a multiple of the other's; 0 if either had none. */
    double burstReadMean() {
        return ratio(lambdaFs.readsInBurst().mean(), other.readsInBurst().mean());
    }

    /**
     * Returns the 99th percentile of λFS's latency in the burst, as a multiple of the other's; 0 if either had none.
     */
    double burstP99() {
        return ratio((double) lambdaFs.inBurst().p99(), (double) other.inBurst().p99());
    }

    private static double ratio(double ours, double others) {
        return ours <= 0 || others <= 0 ? 0 : ours / others;
    }

    /** Describes the comparison for people; empty unless the paper compares λFS to this service in a burst. */
    List<String> lines() {
        return switch (other.persona()) {
            case HOPSFS ->
                List.of(String.format(
                        Locale.ROOT,
                        "λFS to hopsfs in the burst: throughput %s, mean read latency %s",
                        more(burstDone()),
                        less(burstReadMean())));
            case HOPSFS_CACHE_AT_COST ->
                List.of(String.format(
                        Locale.ROOT,
                        "λFS to the fleet at equal cost in the burst: done %s, p99 %s",
                        more(burstDone()),
                        less(burstP99())));
            default -> List.of();
        };
    }

    private static String more(double ratio) {
        return ratio == 0 ? "not measured" : String.format(Locale.ROOT, "%.2f ×", ratio);
    }

    private static String less(double ratio) {
        return more(ratio) + (ratio > 0 && ratio < 1 ? String.format(Locale.ROOT, " (1 / %.1f)", 1 / ratio) : "");
    }
}
