package io.lambdafs.coordinator.testkit;

import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.coordinator.memory.MemoryChannel;
import io.lambdafs.model.testkit.ManualScheduler;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** An environment in time that only {@link #await} and {@link #pass} move, and whose parts can be harmed. */
public interface FaultyEnvironment extends Environment {
    Duration STEP = Duration.ofMillis(1);
    int MAX_STEPS = 120_000;

    @Override
    ManualScheduler clock();

    /** Lets time pass. */
    default void pass(Duration time) {
        for (long left = time.toNanos(); left > 0; left -= STEP.toNanos()) {
            clock().advance(Math.min(left, STEP.toNanos()));
        }
    }

    @Override
    default void await(String what, BooleanSupplier condition) {
        clock().run();
        for (int step = 0; !condition.getAsBoolean(); step++) {
            if (step == MAX_STEPS) {
                throw new AssertionError("not within " + STEP.multipliedBy(MAX_STEPS) + ": " + what);
            }
            clock().advance(STEP.toNanos());
        }
    }

    @Override
    default void cutDirectWay(String instance) {
        direct(instance).isolate();
    }

    /** How long a message to the coordinator takes from now on, each way. */
    void setLatency(Duration oneWay);

    /** Cuts a process off from the coordinator. */
    void partition(Coordinator coordinator);

    /** Ends {@link #partition}. */
    void heal(Coordinator coordinator);

    /** The direct channel of an instance, to be harmed. */
    MemoryChannel direct(String instance);
}
