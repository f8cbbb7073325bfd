package io.lambdafs.client.sharing;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Forward;
import io.lambdafs.rpc.message.Message;
import java.net.SocketAddress;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An instance's connection to another process, which forwards this process's requests. It ends with the connection to
 * that process. Thread-safe.
 */
final class BorrowedConnection implements Connection {
    private final Borrowing borrowing;
    private final Connection lender;
    private final long lent;
    private final AtomicInteger inFlight = new AtomicInteger();

    /** @param lent its id in the lending process */
    BorrowedConnection(Borrowing borrowing, Connection lender, long lent) {
        this.borrowing = borrowing;
        this.lender = lender;
        this.lent = lent;
    }

    long lent() {
        return lent;
    }

    /** Returns an id distinct from this process's own connections. */
    @Override
    public long id() {
        return -lent;
    }

    @Override
    public SocketAddress remoteAddress() {
        return lender.remoteAddress();
    }

    @Override
    public CompletionStage<Message> request(Message message, long timeoutNanos) {
        // Longer than the lender's timeout: if the lender does not report a silent instance first, the lender itself
        // hangs.
        long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNanos / 10 * 9));
        inFlight.incrementAndGet();
        return lender.request(new Forward(lent, millis, message), timeoutNanos).handle((answer, thrown) -> {
            inFlight.decrementAndGet();
            if (thrown != null) {
                throw failure(FsException.of(thrown));
            }
            if (answer instanceof Failed failed && isOfTheConnection(failed.code())) {
                throw failed.toException();
            }
            return answer;
        });
    }

    private FsException failure(FsException why) {
        if (why.code() == ErrorCode.TIMED_OUT) {
            borrowing.close();
        } else if (why.code() == ErrorCode.OVERLOADED) {
            borrowing.outgrown();
        }
        return why;
    }

    private static boolean isOfTheConnection(ErrorCode code) {
        return code == ErrorCode.TIMED_OUT || code == ErrorCode.CONNECTION_LOST;
    }

    @Override
    public int inFlight() {
        return inFlight.get();
    }

    @Override
    public boolean isOpen() {
        return lender.isOpen();
    }

    /** Does nothing: the connection belongs to another process. */
    @Override
    public void close() {}

    @Override
    public CompletionStage<Void> closed() {
        return lender.closed();
    }

    /** Does nothing: the instance authenticated to the other process. */
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
    public void attach(Object attachment) {
        throw new UnsupportedOperationException("a borrowed connection keeps nothing");
    }

    @Override
    public String toString() {
        return "connection " + lent + " of another process";
    }
}
