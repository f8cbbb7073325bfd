package io.lambdafs.systemtests.hdfs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Asks HDFS and λFS the same, and compares what they answer. Used by one thread. */
final class Comparison {
    private static final String NOTHING = "nothing";

    private enum Agreement {
        WHOLE,
        OTHER_ANSWERS,
        /** One has a writer of a file that another has not. */
        OTHER_WRITERS;

        Agreement lower(Agreement other) {
            return compareTo(other) > 0 ? this : other;
        }
    }

    private final ListedDifferences listed;
    private final Target hdfs;
    private final List<Target> lambdas;
    private int asked;
    private int endedEarly;

    Comparison(ListedDifferences listed, Target hdfs, List<Target> lambdas) {
        this.listed = listed;
        this.hdfs = hdfs;
        this.lambdas = List.copyOf(lambdas);
    }

    /** Steps whose answers were compared so far. */
    int asked() {
        return asked;
    }

    /** Sequences that ended at a listed difference, for it left other trees or writers behind. */
    int endedEarly() {
        return endedEarly;
    }

    /**
     * Asks a sequence of all, from the same tree on, to its end, or until one that answered otherwise has another tree, or another writer of a file, as
     * well.
     *
     * @return the differences that are not listed
     */
    List<Difference> run(List<Step> steps) throws IOException {
        hdfs.reset();
        for (Target each : lambdas) {
            each.reset();
        }
        List<Difference> found = new ArrayList<>();
        for (Step step : steps) {
            Agreement agreement = agreement(step, found);
            if (agreement == Agreement.OTHER_WRITERS
                    || (agreement == Agreement.OTHER_ANSWERS && treeDifference() != null)) {
                endedEarly++;
                return found;
            }
        }
        Difference left = treeDifference();
        if (left != null) {
            found.add(left);
        }
        return found;
    }

    /** How far all answer a step in the same way; a difference that is not listed is added to those found. */
    private Agreement agreement(Step step, List<Difference> found) {
        asked++;
        Agreement agreement = Agreement.WHOLE;
        String theirs = hdfs.answer(step);
        for (Target each : lambdas) {
            String ours = each.answer(step);
            if (!ours.equals(theirs)) {
                boolean otherWriters = step.makesWriter() && Answers.isFailure(theirs) != Answers.isFailure(ours);
                agreement = otherWriters ? Agreement.OTHER_WRITERS : agreement.lower(Agreement.OTHER_ANSWERS);
                if (!listed.allow(step.operation(), theirs, ours)) {
                    found.add(new Difference(step.toString(), step.operation(), each.name(), theirs, ours));
                }
            }
        }
        return agreement;
    }

    private @Nullable Difference treeDifference() throws IOException {
        SortedMap<String, String> theirs = hdfs.tree();
        for (Target each : lambdas) {
            SortedMap<String, String> ours = each.tree();
            SortedSet<String> paths = new TreeSet<>(theirs.keySet());
            paths.addAll(ours.keySet());
            for (String path : paths) {
                String there = theirs.getOrDefault(path, NOTHING);
                String here = ours.getOrDefault(path, NOTHING);
                if (!here.equals(there) && !listed.allow(Difference.TREE, there, here)) {
                    return new Difference(path + " at the end", Difference.TREE, each.name(), there, here);
                }
            }
        }
        return null;
    }

    /**
     * Leaves out what a difference does not need.
     *
     * @param shown a sequence's steps, whose places in {@code all} are given
     * @return places that are enough to show a difference like it
     */
    List<Integer> shrink(List<Step> all, List<Integer> shown, Difference like) throws IOException {
        List<Integer> kept = new ArrayList<>(shown);
        for (int chunk = Math.max(1, kept.size() / 2); chunk >= 1; chunk /= 2) {
            for (int end = kept.size(); end > 0; end -= chunk) {
                List<Integer> fewer = new ArrayList<>(kept);
                fewer.subList(Math.max(0, end - chunk), end).clear();
                if (run(at(all, fewer)).stream().anyMatch(like::isLike)) {
                    kept = fewer;
                }
            }
        }
        return Collections.unmodifiableList(kept);
    }

    static List<Step> at(List<Step> all, List<Integer> places) {
        return places.stream().map(all::get).toList();
    }
}
