package io.lambdafs.cluster.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class ExitCodeTest {
    /** By number: scripts know no names. */
    private static Set<ErrorCode> codesThatEndWith(int number) {
        Set<ErrorCode> codes = EnumSet.noneOf(ErrorCode.class);
        for (ErrorCode code : ErrorCode.values()) {
            if (ExitCode.of(code).number() == number) {
                codes.add(code);
            }
        }
        return codes;
    }

    @Test
    void shouldKeepTheNumbersThatScriptsRead() {
        assertThat(ExitCode.OK.number()).isZero();
        assertThat(codesThatEndWith(0)).isEmpty();
        assertThat(codesThatEndWith(2)).containsExactlyInAnyOrder(ErrorCode.INVALID_ARGUMENT, ErrorCode.INVALID_PATH);
        assertThat(codesThatEndWith(3))
                .containsExactlyInAnyOrder(
                        ErrorCode.UNAVAILABLE,
                        ErrorCode.THROTTLED,
                        ErrorCode.CONNECTION_LOST,
                        ErrorCode.TIMED_OUT,
                        ErrorCode.DEADLINE_EXCEEDED,
                        ErrorCode.FUNCTION_FAILED);
        assertThat(codesThatEndWith(1)).hasSize(ErrorCode.values().length - 8);
    }

    @Test
    void shouldCallAWrongSecretAFailureForTheServiceWasReachedAndRefused() {
        assertThat(ExitCode.of(ErrorCode.UNAUTHENTICATED).number()).isEqualTo(1);
        assertThat(ExitCode.of(ErrorCode.TOKEN_EXPIRED).number()).isEqualTo(1);
    }

    @Test
    void shouldTellAFailureInOneLineWithItsLabel() {
        CommandFailure failure =
                CommandFailure.of(new CompletionException(FsException.unavailable("nobody answers: start it")));
        assertThat(failure.exit()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(failure.line()).isEqualTo("lambdafs: LFS-306 UNAVAILABLE: nobody answers: start it");
        assertThat(CommandFailure.of(failure)).isSameAs(failure);
        assertThat(CommandFailure.of(new IllegalStateException("odd")).line())
                .isEqualTo("lambdafs: LFS-501 INTERNAL: internal error: java.lang.IllegalStateException: odd");
    }
}
