package io.lambdafs.model;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Suggests the intended word for a mistyped one. Stateless. */
public final class Nearest {
    private Nearest() {}

    /**
     * Returns the candidate with the smallest edit distance, ignoring case; the first of several; empty if there are no
     * candidates.
     */
    public static Optional<String> of(String word, Collection<String> candidates) {
        String best = null;
        int least = Integer.MAX_VALUE;
        for (String candidate : candidates) {
            int distance = distance(word.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
            if (distance < least) {
                least = distance;
                best = candidate;
            }
        }
        return Optional.ofNullable(best);
    }

    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substituted, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
