package io.lambdafs.cluster.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.core.ConsoleAppender;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoggingTest {
    private static final String FILE = "logback.configurationFile";
    private String fileOfTests;

    @BeforeEach
    void forgetTheFileOfTests() {
        fileOfTests = System.clearProperty(FILE);
    }

    @AfterEach
    void rememberIt() {
        if (fileOfTests != null) {
            System.setProperty(FILE, fileOfTests);
        }
    }

    @Test
    void shouldLogToStandardErrorAloneAndOnlyWarningsOfCommands() {
        LoggerContext context = new LoggerContext();
        assertThat(new Logging().configure(context)).isEqualTo(Configurator.ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY);
        ch.qos.logback.classic.Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        assertThat(root.getLevel()).isEqualTo(Level.WARN);
        assertThat(root.iteratorForAppenders())
                .toIterable()
                .singleElement()
                .extracting(appender -> ((ConsoleAppender<?>) appender).getTarget())
                .isEqualTo("System.err");
        assertThat(context.getLogger("org.apache.hadoop.util").getEffectiveLevel())
                .isEqualTo(Level.ERROR);
        root.getAppender("stderr").stop();
    }

    @Test
    void shouldSayWhereTheTrashIsAsTheShellsOwnWords() {
        LoggingProvider provider = new LoggingProvider();
        PrintStream own = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            provider.initialize();
            provider.getLoggerFactory()
                    .getLogger("org.apache.hadoop.fs.TrashPolicyDefault")
                    .info("Moved: '{}' to trash at: {}", "a", "b");
        } finally {
            System.setErr(own);
            ((LoggerContext) provider.getLoggerFactory()).stop();
        }
        assertThat(said.toString(StandardCharsets.UTF_8))
                .isEqualTo("Moved: 'a' to trash at: b" + System.lineSeparator());
    }

    @Test
    void shouldBeSetUpWithoutALookAtTheClassPath() {
        LoggingProvider provider = new LoggingProvider();
        provider.initialize();
        LoggerContext context = (LoggerContext) provider.getLoggerFactory();
        assertThat(context.isStarted()).isTrue();
        assertThat(context.getMDCAdapter()).isSameAs(provider.getMDCAdapter());
        assertThat(context.getLogger("io.lambdafs").getEffectiveLevel()).isEqualTo(Level.WARN);
        assertThat(context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).getAppender("stderr"))
                .isNotNull();
        context.stop();
    }

    @Test
    void shouldLeaveTheSetUpToAFileThatIsNamed(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(
                folder.resolve("logback.xml"),
                "<configuration><appender name=\"own\" class=\"ch.qos.logback.core.ConsoleAppender\"/>"
                        + "<root level=\"OFF\"><appender-ref ref=\"own\"/></root></configuration>");
        System.setProperty(FILE, file.toString());
        LoggingProvider provider = new LoggingProvider();
        provider.initialize();
        LoggerContext context = (LoggerContext) provider.getLoggerFactory();
        assertThat(context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).getAppender("stderr"))
                .as("the appender of the code")
                .isNull();
        assertThat(context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).getAppender("own"))
                .isNotNull();
        context.stop();
        System.clearProperty(FILE);
    }

    @Test
    void shouldBeFoundByTheLoggingLibrary() {
        assertThat(ServiceLoader.load(Configurator.class)).hasAtLeastOneElementOfType(Logging.class);
    }

    /** The logging API warns about a provider of another version at every start. */
    @Test
    void shouldBeOfTheVersionOfTheLoggingApi() {
        assertThat(new LoggingProvider().getRequestedApiVersion()).startsWith("2.0.");
    }
}
