package io.lambdafs.client.call;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.metrics.ClientMetrics;
import io.lambdafs.client.runtime.ClientRuntime;
import io.lambdafs.client.transport.AntiThrashing;
import io.lambdafs.client.transport.HybridTransport;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The shared state of one client's calls, and the limit on their number. Tracks calls that wait for more than a TCP
 * reply, so that closing the client can end them. Thread-safe.
 */
public final class Calls {
    private final HybridTransport transport;
    private final Retries retries;
    private final SlotTable slots;
    private final BulkIds bulkIds;
    private final Scheduler scheduler;
    private final ClientMetrics metrics;
    private final AntiThrashing thrashing;
    private final ClientConfig config;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final Set<Call<?>> lingering = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    public Calls(ClientConfig config, ClientRuntime.Context context, HybridTransport transport, ClientMetrics metrics) {
        this.config = config;
        this.scheduler = context.scheduler();
        this.transport = transport;
        this.metrics = metrics;
        this.thrashing = transport.thrashing();
        this.retries = new Retries(config.times().deadline(), config.firstContact(), scheduler.random());
        this.slots = new SlotTable(scheduler, context.secrets(), config.maxInFlight());
        this.bulkIds = new BulkIds(context.secrets());
    }

    public HybridTransport transport() {
        return transport;
    }

    public Retries retries() {
        return retries;
    }

    public SlotTable slots() {
        return slots;
    }

    public BulkIds bulkIds() {
        return bulkIds;
    }

    public Scheduler scheduler() {
        return scheduler;
    }

    public ClientMetrics metrics() {
        return metrics;
    }

    public ClientConfig config() {
        return config;
    }

    /** Admits one more request; returns the failure if it may not be. */
    public @Nullable FsException admit() {
        if (closed) {
            return FsException.invalidArgument("this client is closed: open another");
        }
        if (inFlight.incrementAndGet() > config.maxInFlight()) {
            inFlight.decrementAndGet();
            return new FsException(
                    ErrorCode.OVERLOADED,
                    config.maxInFlight() + " operations of this client are under way: wait for some of them");
        }
        return null;
    }

    /** Notes that an admitted request ended before becoming a call. */
    public void dismiss() {
        inFlight.decrementAndGet();
    }

    void linger(Call<?> call) {
        lingering.add(call);
        if (closed) {
            call.abandon();
        }
    }

    public void ended(Call<?> call, long startNanos, boolean lingered) {
        inFlight.decrementAndGet();
        thrashing.ended(startNanos);
        if (lingered) {
            lingering.remove(call);
        }
    }

    public int inFlight() {
        return inFlight.get();
    }

    public boolean isClosed() {
        return closed;
    }

    /** Admits no more requests and ends the tracked calls. */
    public void close() {
        closed = true;
        lingering.forEach(Call::abandon);
    }
}
