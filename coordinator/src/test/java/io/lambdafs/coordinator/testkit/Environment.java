package io.lambdafs.coordinator.testkit;

import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.model.time.Times;
import io.lambdafs.store.MetadataStore;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/** The surroundings of a test's instances. */
public interface Environment extends AutoCloseable {
    Scheduler clock();

    MetadataStore store();

    Times times();

    Coordinator connect(ProcessScheduler process);

    InvalidationChannel channel(ProcessScheduler process, String instance, Coordinator connection);

    /** Cuts an instance off from all others on the direct way, if it has one. */
    void cutDirectWay(String instance);

    /** Ends the session with the coordinator as a time-out does. */
    void loseSession(Coordinator coordinator);

    /** Lets time pass until a condition holds; fails after a generous limit. */
    void await(String what, BooleanSupplier condition);

    /** Lets time pass until a stage completes; its value, or its failure thrown. */
    default <T> T await(CompletionStage<T> stage) {
        var future = stage.toCompletableFuture();
        await("a stage completes", future::isDone);
        return future.join();
    }

    @Override
    void close();
}
