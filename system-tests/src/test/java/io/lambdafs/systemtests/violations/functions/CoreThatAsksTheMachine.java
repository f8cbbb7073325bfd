package io.lambdafs.systemtests.violations.functions;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/** Takes threads, time and randomness from the machine instead of its caller. */
public final class CoreThatAsksTheMachine {
    Thread startThread(Runnable task) {
        return new Thread(task);
    }

    LongSupplier elapsed() {
        return System::nanoTime;
    }

    LongSupplier clock() {
        return () -> System.currentTimeMillis();
    }

    int choose(int bound) {
        return ThreadLocalRandom.current().nextInt(bound);
    }

    CompletableFuture<String> onSomeThread() {
        return CompletableFuture.supplyAsync(() -> "");
    }
}
