package io.lambdafs.cluster.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.List;
import java.util.Map;

/**
 * Configures logging for every process on this class path, in code, because reading a configuration file would be too
 * slow for many starts. Logs to standard error at the level of the system property {@code lambdafs.log.level}: WARN for
 * commands, the cluster's setting for its processes.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class Logging extends ContextAwareBase implements Configurator {
    private static final String LEVEL = "lambdafs.log.level";
    private static final String PATTERN = "%d{yyyy-MM-dd'T'HH:mm:ss.SSS} %-5level [%thread] %logger{0}: %msg%n";
    /** Logs the place to which the shell moves a removed file, which is part of the command's output, not a log. */
    private static final String TRASH = "org.apache.hadoop.fs.TrashPolicyDefault";

    private static final Map<Level, List<String>> OTHERS = Map.of(
            Level.WARN,
            List.of("org.apache.zookeeper", "org.apache.curator", "io.netty"),
            Level.ERROR,
            List.of("org.apache.hadoop", "org.apache.iceberg"));

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (System.getProperty("logback.configurationFile") != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        ch.qos.logback.classic.Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.toLevel(System.getProperty(LEVEL), Level.WARN));
        root.addAppender(appender(context, "stderr", PATTERN));
        OTHERS.forEach(
                (level, names) -> names.forEach(name -> context.getLogger(name).setLevel(level)));
        ch.qos.logback.classic.Logger trash = context.getLogger(TRASH);
        trash.setLevel(Level.INFO);
        trash.setAdditive(false);
        trash.addAppender(appender(context, "trash", "%msg%n"));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    private static Appender<ILoggingEvent> appender(LoggerContext context, String name, String pattern) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(pattern);
        encoder.start();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setName(name);
        appender.setTarget("System.err");
        appender.setEncoder(encoder);
        appender.start();
        return appender;
    }
}
