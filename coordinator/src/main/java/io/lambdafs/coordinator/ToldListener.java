package io.lambdafs.coordinator;

import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listener whose exceptions hold back neither other listeners nor later news. The log has the first one, and the next after it has taken news again.
 * Thread-safe.
 *
 * @param <T> the news
 */
public final class ToldListener<T> {
    private static final Logger log = LoggerFactory.getLogger(ToldListener.class);

    private final Consumer<? super T> consumer;
    private volatile boolean threw;

    public ToldListener(Consumer<? super T> consumer) {
        this.consumer = consumer;
    }

    /** Returns whether it took them. */
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
