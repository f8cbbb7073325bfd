package io.lambdafs.coordinator;

import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Somebody who is told of news. What it throws keeps neither others nor later news back, and is in the log once until it takes news again.
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
