package io.lambdafs.hammer.lambda;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.cluster.terminal.CommandRun;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LambdaCommandTest {
    @ParameterizedTest
    @CsvSource({
        "--mode, hold, 'expected one of [INVOCATION, HELD]'",
        "--invocation-ops, 0, --invocation-ops is 1..1000000",
        "--held-ops, 0, --held-ops is 1..1000000",
        "--seconds, 0, --seconds is 1..86400",
        "--tree, /no/such/tree, is not a directory that can be read"
    })
    void shouldRefuseWhatMakesNoSenseBeforeItStartsACluster(String option, String value, String why) {
        CommandRun run = CommandRun.ofCommand(LambdaCommand::new, option, value);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains(why);
        assertThat(run.out()).isEmpty();
    }
}
