package io.lambdafs.store.lock;

import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.Key;
import io.lambdafs.store.Read;
import io.lambdafs.store.Schema;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledForJreRange;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.JRE;

/**
 * The lock table under several threads does what it does under one, which {@link LockTableModelTest} compares with a model: every
 * grant, queue, refusal and hand-over is explained by some order of the calls.
 */
@DisabledForJreRange(min = JRE.JAVA_25, disabledReason = "Lincheck's instrumentation is run on one JDK only")
@Tag("slow")
class LockTableLincheckTest {
    private static final int ITERATIONS = Integer.getInteger("lambdafs.lincheck.iterations", 3);
    private static final int INVOCATIONS = 100;
    private static final long WAIT_NANOS = 1_000_000_000;

    /** Three transactions and two keys. */
    @Param(name = "owner", gen = IntGen.class, conf = "0:2")
    @Param(name = "key", gen = IntGen.class, conf = "0:1")
    public static class Locks {
        private final LockTable table = new LockTable(new AtOnce(), 4);
        private final LockTable.Owner[] owners = {table.owner(), table.owner(), table.owner()};

        private static Key key(int number) {
            return Schema.LISTINGS.key((long) number);
        }

        private boolean take(int owner, Read read) {
            return table.acquire(owners[owner], List.of(read), WAIT_NANOS)
                    .toCompletableFuture()
                    .isCompletedExceptionally();
        }

        @Operation
        public boolean share(@Param(name = "owner") int owner, @Param(name = "key") int key) {
            return take(owner, Read.shared(key(key)));
        }

        @Operation
        public boolean exclude(@Param(name = "owner") int owner, @Param(name = "key") int key) {
            return take(owner, Read.exclusive(key(key)));
        }

        @Operation
        public void release(@Param(name = "owner") int owner) {
            table.release(owners[owner]);
        }

        @Operation
        public String held(@Param(name = "owner") int owner, @Param(name = "key") int key) {
            return table.held(owners[owner], key(key)).name();
        }

        @Operation
        public String counts() {
            LockTable.Statistics now = table.statistics();
            return now.keys() + " keys, " + now.waiting() + " wait";
        }
    }

    /** Time stands still, and what is to run runs at once. */
    private static final class AtOnce implements Scheduler {
        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public long currentTimeMillis() {
            return 0;
        }

        @Override
        public Timer schedule(long delayNanos, Runnable task) {
            return () -> {};
        }

        @Override
        public RandomGenerator random() {
            return new Random(0);
        }

        @Override
        public void execute(Runnable command) {
            command.run();
        }
    }

    @Test
    @EnabledIfSystemProperty(
            named = "lambdafs.lincheck.iterations",
            matches = ".+",
            disabledReason = "its threads spin: slow on a loaded machine")
    void shouldGrantInSomeOrderUnderStress() {
        bounded(new StressOptions()).check(Locks.class);
    }

    @Test
    void shouldGrantInSomeOrderInEveryInterleavingTried() {
        bounded(new ModelCheckingOptions()).check(Locks.class);
    }

    private static <O extends Options<O, ?>> O bounded(O options) {
        return options.iterations(ITERATIONS)
                .invocationsPerIteration(INVOCATIONS)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(2)
                .actorsAfter(1)
                .minimizeFailedScenario(false);
    }
}
