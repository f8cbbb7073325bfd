package io.lambdafs.testing.simulation.quotas;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.DirectoryTotals;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.testing.simulation.Faults;
import io.lambdafs.testing.simulation.TreeAsker;
import io.lambdafs.testing.simulation.TreeSimulation;
import io.lambdafs.testing.simulation.cluster.SimulatedClient;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Simulates directories with quotas under one seed: spenders fill and empty them, move trees from one to the other and
 * change the limits, which refuse about half of what is new, with the faults of {@link Faults}. Each commit is watched:
 * no directory is charged over its limit or below nothing; what a quota refused was too much at some moment of the
 * request, and never happens later; and totals equal a recount (PROTOCOL: I10, I11). Not thread-safe.
 */
public final class QuotaSimulation extends TreeSimulation {
    private static final int SPENDERS = 15;
    private static final List<FsPath> LIMITED =
            List.of(FsPath.of("/q0"), FsPath.of("/q1"), FsPath.of("/q1/in"), FsPath.of("/q2"));

    private final Charges charges = new Charges(agenda);
    /** Names that were refused: each was asked for once. */
    private final Set<String> refusedNames = new HashSet<>();

    private final Map<FsPath, Long> ids = new HashMap<>();
    private long admitted;
    private long refused;

    /**
     * The outcome of a run.
     *
     * @param violation null if nothing went wrong
     * @param admitted new files and directories that were made
     * @param refused new files and directories that a quota refused
     */
    public record Outcome(@Nullable String violation, long admitted, long refused) {}

    private QuotaSimulation(long seed) {
        super(seed, LIMITED, SPENDERS);
    }

    /** Runs the scenario; the same seed gives the same outcome. */
    public static Outcome run(long seed) {
        QuotaSimulation simulation = new QuotaSimulation(seed);
        String violation = simulation.violation();
        return new Outcome(violation, simulation.admitted, simulation.refused);
    }

    /** Returns the first failing seed of a range; -1 if none fails. */
    public static long firstFailing(long first, int seeds) {
        for (long seed = first; seed < first + seeds; seed++) {
            if (run(seed).violation() != null) {
                return seed;
            }
        }
        return -1;
    }

    private final class Spent extends Run implements Spender.Run {
        @Override
        public void admitted() {
            admitted++;
        }

        @Override
        public void refused(FsPath path, DirectoryTotals more, FsException why, long began) {
            refused++;
            refusedNames.add(path.name());
            boolean byNames = why.code() == ErrorCode.NAMES_QUOTA_EXCEEDED;
            String message = String.valueOf(why.getMessage());
            LIMITED.stream()
                    .filter(each -> message.contains(" " + each + " is exceeded"))
                    .filter(each -> !charges.wasFull(ids.getOrDefault(each, 0L), began, more, byNames))
                    .forEach(each ->
                            violated(path + " had room in " + each + " all the time, and was refused: " + message));
        }
    }

    @Override
    protected TreeAsker asker(SimulatedClient client) {
        return new Spender(agenda, new Spent(), client);
    }

    @Override
    protected Operation<Reply.Done> prepared(FsPath top) {
        return new AttributeOperation.SetQuota(top, 8, 8 * Spender.BLOCK_SIZE);
    }

    @Override
    protected void begun() {
        Map<String, Long> found = new HashMap<>();
        for (Row row : cluster.engine.rows()) {
            if (row.key().table().equals(Schema.INODES)) {
                INode node = Rows.inode(row);
                found.put(node.name(), node.id());
            }
        }
        LIMITED.forEach(path -> ids.put(path, found.getOrDefault(path.name(), 0L)));
    }

    @Override
    protected void look(List<Row> rows) {
        String wrong = charges.look(rows);
        if (wrong != null) {
            violated(wrong);
        }
        for (Row row : rows) {
            if (row.key().table().equals(Schema.INODES)
                    && refusedNames.contains(row.key().string(1))) {
                violated("a quota refused it, and it was made later: " + row.key());
            }
        }
    }
}
