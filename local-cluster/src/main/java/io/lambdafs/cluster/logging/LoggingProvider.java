package io.lambdafs.cluster.logging;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.util.ContextInitializer;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.CoreConstants;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Provides Logback configured by {@link Logging}, without searching the class path for other configurators. Selected by
 * the system property {@code slf4j.provider} for processes that must start fast: the search takes as long as the rest
 * of the setup. Thread-safe once initialised.
 */
public final class LoggingProvider implements SLF4JServiceProvider {
    private static final String API_VERSION = "2.0.99";

    private final LoggerContext context = new LoggerContext();
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final LogbackMDCAdapter diagnostics = new LogbackMDCAdapter();

    @Override
    public void initialize() {
        context.setName(CoreConstants.DEFAULT_CONTEXT_NAME);
        context.setMDCAdapter(diagnostics);
        Logging logging = new Logging();
        logging.setContext(context);
        if (logging.configure(context) == Configurator.ExecutionStatus.INVOKE_NEXT_IF_ANY) {
            try {
                new ContextInitializer(context).autoConfig();
            } catch (ch.qos.logback.core.joran.spi.JoranException e) {
                throw new IllegalStateException("the logging configuration cannot be read", e);
            }
        }
        context.start();
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return context;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return diagnostics;
    }

    @Override
    public String getRequestedApiVersion() {
        return API_VERSION;
    }
}
