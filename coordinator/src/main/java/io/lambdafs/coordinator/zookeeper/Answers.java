package io.lambdafs.coordinator.zookeeper;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.curator.framework.api.BackgroundCallback;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/** Converts ZooKeeper's answers to stages and typed failures. Stateless. */
final class Answers {
    private static final Set<Code> UNREACHABLE = Set.of(
            Code.CONNECTIONLOSS,
            Code.OPERATIONTIMEOUT,
            Code.SESSIONEXPIRED,
            Code.SESSIONMOVED,
            Code.SESSIONCLOSEDREQUIRESASLAUTH,
            Code.NOTREADONLY,
            Code.THROTTLEDOP);

    private Answers() {}

    /** A call that answers through a callback. */
    @FunctionalInterface
    interface Call {
        void start(BackgroundCallback callback) throws Exception;
    }

    /**
     * Makes a call.
     *
     * @param fine codes that count as success
     */
    static CompletionStage<CuratorEvent> of(Call call, Code... fine) {
        CompletableFuture<CuratorEvent> answer = new CompletableFuture<>();
        try {
            call.start((client, event) -> answer(answer, event.getResultCode(), event, fine));
        } catch (Exception e) {
            answer.completeExceptionally(notStarted(e));
        }
        return answer;
    }

    /**
     * Completes a call made on the session itself.
     *
     * @param rc what ZooKeeper answered
     * @param fine codes that count as success
     */
    static <T extends @Nullable Object> void answer(CompletableFuture<T> answer, int rc, T value, Code... fine) {
        Code code = known(rc);
        if (code == Code.OK || (code != null && Set.of(fine).contains(code))) {
            answer.complete(value);
        } else {
            answer.completeExceptionally(failure(code));
        }
    }

    /** Returns a code; null if of a later ZooKeeper version, for which {@link Code#get} throws. */
    static @Nullable Code known(int rc) {
        try {
            return Code.get(rc);
        } catch (IllegalArgumentException unknown) {
            return null;
        }
    }

    static FsException failure(@Nullable Code code) {
        if (code == Code.NOAUTH || code == Code.AUTHFAILED) {
            return new FsException(
                    ErrorCode.UNAUTHENTICATED,
                    "ZooKeeper refuses access to this file system's nodes: they were made with another secret; use that"
                            + " cluster's secret, or another file system name");
        }
        if (code != null && UNREACHABLE.contains(code)) {
            return FsException.unavailable(
                    "ZooKeeper cannot be reached (" + code + "); check that it runs and try again");
        }
        return new FsException(ErrorCode.INTERNAL, "ZooKeeper answered " + code);
    }

    static FsException notStarted(Exception e) {
        return FsException.unavailable("ZooKeeper cannot be asked: " + e + "; check that it runs and try again", e);
    }
}
