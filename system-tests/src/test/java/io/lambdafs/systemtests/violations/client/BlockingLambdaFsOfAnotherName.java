package io.lambdafs.systemtests.violations.client;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A class that may not, by a method reference. */
public final class BlockingLambdaFsOfAnotherName {
    /** Refers to what waits. */
    public Function<CompletableFuture<String>, String> reader() {
        return CompletableFuture::join;
    }
}
