package io.lambdafs.hammer.loop;

import io.lambdafs.hammer.replay.Time;
import io.lambdafs.hammer.tree.Target;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.operation.Operation;
import java.util.Iterator;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Sends operations that prepare a measurement, many at once; the first failure ends it. Stateless. */
public final class Preparation {
    private static final int IN_FLIGHT = 256;

    private Preparation() {}

    /**
     * Sends all operations, in their order, and waits for their answers.
     *
     * @throws FsException the first failure
     */
    public static void send(Target target, Stream<? extends Operation<?>> operations) throws InterruptedException {
        Iterator<? extends Operation<?>> rest = operations.iterator();
        AtomicReference<@Nullable FsException> first = new AtomicReference<>();
        Calls<Operation<?>> calls = lane -> {
            synchronized (rest) {
                return rest.hasNext() ? rest.next() : null;
            }
        };
        LoopResult result = new ClosedLoop<>(
                        calls,
                        operation -> target.execute(operation).whenComplete((reply, thrown) -> {
                            if (thrown != null) {
                                first.compareAndSet(null, FsException.of(thrown));
                            }
                        }))
                .run(IN_FLIGHT, Span.untilFailure(Time.REAL.nanos()));
        FsException failure = first.get();
        if (failure != null) {
            throw failure;
        }
        if (result.failed() > 0) {
            throw new FsException(ErrorCode.INTERNAL, result.failures().get(0));
        }
    }
}
