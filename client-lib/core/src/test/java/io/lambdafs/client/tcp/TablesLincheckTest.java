package io.lambdafs.client.tcp;

import io.lambdafs.client.call.SlotTable;
import io.lambdafs.client.call.SlotTable.Slot;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.Register;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledForJreRange;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.JRE;

/** The connection table and the slot table under several threads do what they do under one. */
@DisabledForJreRange(min = JRE.JAVA_25, disabledReason = "Lincheck's instrumentation is run on one JDK only")
@Tag("slow")
class TablesLincheckTest {
    private static final int ITERATIONS = Integer.getInteger("lambdafs.lincheck.iterations", 1);
    private static final int INVOCATIONS = 50;

    /** Four connections, two of each of two deployments. */
    @Param(name = "number", gen = IntGen.class, conf = "0:3")
    public static class Connections {
        private static final ManualScheduler CLOCK = new ManualScheduler();

        private final ConnectionTable table = new ConnectionTable();
        private final InstanceConnection[] all = {connection(0), connection(1), connection(2), connection(3)};

        private static InstanceConnection connection(int number) {
            return new InstanceConnection(new Idle(number), new Register(number / 2, "i" + number, number, ""), CLOCK);
        }

        @Operation
        public boolean add(@Param(name = "number") int number) {
            return table.add(all[number]);
        }

        @Operation
        public boolean remove(@Param(name = "number") int number) {
            return table.remove(all[number]);
        }

        @Operation
        public boolean has(@Param(name = "number") int number) {
            return table.has(all[number]) && table.hasEpoch(number / 2, number);
        }

        @Operation
        public boolean find(@Param(name = "number") int number) {
            return table.of(number / 2, "i" + number) != null;
        }
    }

    record Idle(long id) implements Connection {
        @Override
        public CompletionStage<Message> request(Message message, long timeoutNanos) {
            return new CompletableFuture<>();
        }

        @Override
        public SocketAddress remoteAddress() {
            return new InetSocketAddress(0);
        }

        @Override
        public int inFlight() {
            return 0;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public CompletionStage<Void> closed() {
            return new CompletableFuture<>();
        }

        @Override
        public void markAuthenticated() {}

        @Override
        public boolean isAuthenticated() {
            return true;
        }

        @Override
        public @Nullable Object attachment() {
            return null;
        }

        @Override
        public void attach(Object attachment) {}

        @Override
        public void close() {}
    }

    /** The promise to a writer: its slot is its own, and the slot's sequence goes up by one. */
    public static class Promised {
        @Operation
        public boolean write() {
            return true;
        }

        @Operation
        public boolean writeUndecided() {
            return true;
        }
    }

    /** Writers of one session. */
    public static class Slots {
        final SlotTable table = new SlotTable(new ManualScheduler(), new Random(1), 8);
        private final AtomicIntegerArray users = new AtomicIntegerArray(SlotTable.LAST_SLOT + 1);
        private final AtomicLongArray sequences = new AtomicLongArray(SlotTable.LAST_SLOT + 1);

        @Operation
        public boolean write() {
            Slot slot = take();
            boolean kept = use(slot);
            table.release(slot);
            return kept;
        }

        @Operation
        public boolean writeUndecided() {
            Slot slot = take();
            boolean kept = use(slot);
            // Its user never leaves it: whoever gets it later is the second one.
            users.incrementAndGet(slot.id().slot());
            table.retire(slot);
            return kept;
        }

        private Slot take() {
            return table.acquire(Long.MAX_VALUE).toCompletableFuture().join();
        }

        private boolean use(Slot slot) {
            int number = slot.id().slot();
            boolean alone = users.incrementAndGet(number) == 1;
            boolean next = sequences.getAndSet(number, slot.id().sequence())
                    == slot.id().sequence() - 1;
            users.decrementAndGet(number);
            return alone && next;
        }
    }

    @Test
    @EnabledIfSystemProperty(
            named = "lambdafs.lincheck.iterations",
            matches = ".+",
            disabledReason = "its threads spin: slow on a loaded machine")
    void shouldKeepConnectionsUnderStress() {
        bounded(new StressOptions()).check(Connections.class);
    }

    @Test
    void shouldKeepConnectionsInEveryInterleavingTried() {
        bounded(new ModelCheckingOptions()).check(Connections.class);
    }

    @Test
    @EnabledIfSystemProperty(
            named = "lambdafs.lincheck.iterations",
            matches = ".+",
            disabledReason = "its threads spin: slow on a loaded machine")
    void shouldGiveSlotToOneWriterUnderStress() {
        bounded(new StressOptions()).sequentialSpecification(Promised.class).check(Slots.class);
    }

    @Test
    void shouldGiveSlotToOneWriterInEveryInterleavingTried() {
        bounded(new ModelCheckingOptions())
                .sequentialSpecification(Promised.class)
                .check(Slots.class);
    }

    private static <O extends Options<O, ?>> O bounded(O options) {
        return options.iterations(ITERATIONS)
                .invocationsPerIteration(INVOCATIONS)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(1)
                .actorsAfter(1)
                .minimizeFailedScenario(false);
    }
}
