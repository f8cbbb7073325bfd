package io.lambdafs.client.sharing;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.Failed;
import io.lambdafs.rpc.Forward;
import io.lambdafs.rpc.Message;
import java.net.SocketAddress;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A connection of an instance to another process, which passes on what is asked here. It ends with the way to that process. Thread-safe.
 */
final class BorrowedConnection implements Connection {
    private final Borrowing borrowing;
    private final Connection lender;
    private final long lent;
    private final AtomicInteger inFlight = new AtomicInteger();

    /** @param lent its id in the process that lends it */
    BorrowedConnection(Borrowing borrowing, Connection lender, long lent) {
        this.borrowing = borrowing;
        this.lender = lender;
        this.lent = lent;
    }

    long lent() {
        return lent;
    }

    /** Unlike that of any connection of this process's own. */
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
        // The process that lends is to say first that an instance does not answer: else it is that process which hangs.
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

    /** Does nothing: it is another process's to close. */
    @Override
    public void close() {}

    @Override
    public CompletionStage<Void> closed() {
        return lender.closed();
    }

    /** Does nothing: its instance proved to the other process which one it is. */
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
