package io.lambdafs.testing.simulation;

import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.Reply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The history of one file, by its id, as seen by its writers and readers: holders of the writer lease, blocks reported
 * durable, and content shown. Reports contradictions to docs/FILES.md. Times are simulated nanoseconds. Not
 * thread-safe.
 */
final class FileHistory {
    /** HDFS's soft limit minus a margin: wall clocks differ by at most a tenth of a second. */
    private static final long SOFT_LIMIT = TimeUnit.SECONDS.toNanos(60) - TimeUnit.SECONDS.toNanos(1);

    /** A writer's request with its times of sending and answering; {@link Long#MAX_VALUE} if never answered. */
    private record Use(long generation, long asked, long answered) {}

    /** A truncation of whatever file is at a path, effective before a time, or at any time if never answered. */
    static final class Cut {
        private long answered = Long.MAX_VALUE;

        void answered(long now) {
            answered = now;
        }
    }

    /** A block reported durable by a writer. */
    static final class Told {
        private final Block block;
        private final long asked;
        private long answered = Long.MAX_VALUE;

        Told(Block block, long asked) {
            this.block = block;
            this.asked = asked;
        }
    }

    private final byte[] head;
    private final List<Use> leases = new ArrayList<>();
    private final List<Use> renewals = new ArrayList<>();
    private final List<Use> ends = new ArrayList<>();
    private final Map<Long, Told> told = new HashMap<>();
    /** Blocks of all files, because blocks move between files. */
    private final Map<Long, Told> everywhere;

    private final List<Cut> cuts;
    private final Set<String> keys = new HashSet<>();
    private long abandoned = Long.MAX_VALUE;

    /**
     * Creates the history of a new file.
     *
     * @param head its initial content
     * @param everywhere reported blocks of all files, to which this one adds
     * @param cuts truncations of its path, including future ones
     */
    FileHistory(byte[] head, Map<Long, Told> everywhere, List<Cut> cuts) {
        this.head = head;
        this.everywhere = everywhere;
        this.cuts = cuts;
    }

    Set<String> keys() {
        return keys;
    }

    /** Notes a block reported by a request sent now. */
    void tells(@Nullable Block block, long asked) {
        if (block != null) {
            Told first = new Told(block, asked);
            Told before = everywhere.putIfAbsent(block.id(), first);
            told.putIfAbsent(block.id(), before == null ? first : before);
        }
    }

    /** Returns whether a block was reported after every truncation, so that none has affected it. */
    private boolean isWhole(Told block) {
        return cuts.stream().allMatch(cut -> cut.answered < block.asked);
    }

    private void acknowledged(@Nullable Block block, long answered) {
        Told known = block == null ? null : told.get(block.id());
        if (known != null) {
            known.answered = Math.min(known.answered, answered);
        }
    }

    /** Checks a lease that was taken. */
    @Nullable
    String leased(Reply.Leased lease, boolean force, long asked, long answered) {
        long generation = lease.generation();
        for (Use earlier : leases) {
            if (earlier.generation() == generation
                    || (earlier.answered() < asked && earlier.generation() > generation)) {
                return "the writer lease was given twice, or given back: generation " + generation + " after "
                        + earlier.generation();
            }
        }
        if (!force) {
            for (Use use : renewals) {
                boolean ended = ends.stream().anyMatch(each -> each.generation() >= use.generation());
                if (!ended
                        && use.answered() < asked
                        && use.asked() + SOFT_LIMIT > answered
                        && use.generation() < generation) {
                    return "the writer lease of generation " + use.generation() + " was taken "
                            + TimeUnit.NANOSECONDS.toSeconds(answered - use.asked())
                            + " s after its writer was heard of";
                }
            }
        }
        leases.add(new Use(generation, asked, answered));
        renewals.add(new Use(generation, asked, answered));
        byte[] shown = lease.head();
        if (cuts.isEmpty()
                && lease.blocks() == 0
                && head.length > 0
                && (shown == null || !Arrays.equals(shown, head))) {
            return "who appends was not given what the file begins with";
        }
        return null;
    }

    /** An empty file was closed in the place of its maker, whose lease would be of generation 1. */
    void closedEmpty(long asked, long answered) {
        leases.add(new Use(2, asked, answered));
    }

    /** Checks a block that was allocated, with its predecessor reported. */
    @Nullable
    String added(LocatedBlock block, @Nullable Block previous, Use use) {
        acknowledged(previous, use.answered());
        renewals.add(use);
        if (!keys.add(block.key())) {
            return "two attempts may write the same object, " + block.key();
        }
        return stale(use);
    }

    static Use use(long generation, long asked, long answered) {
        return new Use(generation, asked, answered);
    }

    /** Checks the end of a writer, or of a file closed for it. */
    @Nullable
    String ended(@Nullable Block last, Use use) {
        acknowledged(last, use.answered());
        String stale = stale(use);
        ends.add(use);
        return stale;
    }

    /** Notes that an end of the generation may take effect, with unknown answer. */
    void mayEnd(long generation, long asked) {
        ends.add(new Use(generation, asked, Long.MAX_VALUE));
    }

    /** Notes that its creator has removed the file. */
    void abandoned(long answered) {
        abandoned = Math.min(abandoned, answered);
    }

    private @Nullable String stale(Use use) {
        for (Use lease : leases) {
            if (lease.generation() > use.generation() && lease.answered() < use.asked()) {
                return "a writer of generation " + use.generation() + " wrote after generation " + lease.generation()
                        + " had been given";
            }
        }
        for (Use end : ends) {
            if (end.generation() >= use.generation() && end.answered() < use.asked()) {
                return "a writer of generation " + use.generation() + " wrote after the file had been closed";
            }
        }
        return null;
    }

    /** Checks a read of the file. */
    @Nullable
    String shown(Reply.Opened opened, long asked, long answered) {
        Attributes attributes = opened.attributes();
        if (abandoned < asked) {
            return "a file that its maker has abandoned is shown";
        }
        long bytes = 0;
        Set<Long> shown = new HashSet<>();
        for (LocatedBlock each : opened.blocks()) {
            Told own = told.get(each.block().id());
            Told known = own == null ? everywhere.get(each.block().id()) : own;
            if (known == null
                    || known.asked > answered
                    || known.block.length() < each.block().length()
                    || (own != null
                            && isWhole(own)
                            && known.block.length() != each.block().length())) {
                return "block " + each.block().id() + " of " + each.block().length()
                        + " bytes is shown, and no writer has told it: "
                        + (known == null ? "none" : known.block.toString());
            }
            if (!shown.add(each.block().id())) {
                return "block " + each.block().id() + " is shown twice";
            }
            bytes += each.block().length();
        }
        for (Told each : told.values()) {
            if (each.answered < asked && isWhole(each) && !shown.contains(each.block.id())) {
                return "block " + each.block.id() + ", which was told to be durable, is not shown";
            }
        }
        if (opened.blocks().isEmpty()) {
            byte[] content = opened.content();
            boolean same = content == null ? head.length == 0 : Arrays.equals(content, head);
            return same || !cuts.isEmpty() ? null : "the file does not show what it was made with";
        }
        boolean closedOrGrowing =
                attributes.content() == INode.Content.BLOCKS || attributes.content() == INode.Content.WRITING;
        return closedOrGrowing && attributes.size() == bytes
                ? null
                : "a file of " + attributes.size() + " bytes, " + attributes.content() + ", shows blocks of " + bytes;
    }
}
