package io.lambdafs.coordinator;

import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wraps a listener so that its exceptions affect neither other listeners nor later events. Logs the first exception,
 * and the next one after a success. Thread-safe.
 *
 * @param <T> the event
 */
public final class GuardedListener<T> {
    private static final Logger log = LoggerFactory.getLogger(GuardedListener.class);

    private final Consumer<? super T> consumer;
    private volatile boolean threw;

    public GuardedListener(Consumer<? super T> consumer) {
        this.consumer = consumer;
    }

    /** Passes an event on; returns whether the listener succeeded. */
    public boolean tell(T news) {
        try {
            consumer.accept(news);
            threw = false;
            return true;
        } catch (RuntimeException e) {
            if (!threw) {
                threw = true;
                log.error("News could not be taken and are told again; this is a defect", e);
            }
            return false;
        }
    }
}
