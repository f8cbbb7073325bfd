package io.lambdafs.deploy.aws.lambda;

import io.lambdafs.deploy.DeployFailure;
import io.lambdafs.deploy.Problem;
import io.lambdafs.deploy.aws.AwsFaults;
import java.util.Locale;
import software.amazon.awssdk.core.exception.SdkException;

/** Converts AWS's errors into problems of a deployment. Stateless. */
final class LambdaFaults {
    private LambdaFaults() {}

    /** @param what the failed action */
    static DeployFailure of(SdkException thrown, String what) {
        return new DeployFailure(problem(thrown, what), thrown);
    }

    /** @param what the failed action */
    static Problem problem(SdkException thrown, String what) {
        Problem.Code code = code(thrown);
        return Problem.fault(code, "cannot " + what + ": " + AwsFaults.message(thrown), change(code));
    }

    private static Problem.Code code(SdkException thrown) {
        return switch (AwsFaults.code(thrown)) {
            case UNAUTHENTICATED -> Problem.Code.CREDENTIALS;
            case PERMISSION_DENIED -> Problem.Code.FORBIDDEN;
            case UNAVAILABLE -> Problem.Code.UNREACHABLE;
            default -> ofMessage(AwsFaults.message(thrown).toLowerCase(Locale.ROOT));
        };
    }

    private static Problem.Code ofMessage(String said) {
        if (said.contains("architecture")) {
            return Problem.Code.ARCHITECTURE;
        }
        if (said.contains("image")) {
            return Problem.Code.IMAGE;
        }
        return said.startsWith("limitexceeded") || said.contains("concurren") || said.startsWith("codestorageexceeded")
                ? Problem.Code.QUOTA
                : Problem.Code.PLATFORM_FAILED;
    }

    private static String change(Problem.Code code) {
        return switch (code) {
            case CREDENTIALS ->
                "give AWS's tools credentials: AWS_PROFILE, AWS_SHARED_CREDENTIALS_FILE, or a role of this machine";
            case FORBIDDEN -> "give who deploys the right to it";
            case UNREACHABLE -> "correct --option region=… or --apihost, and look at the way to AWS";
            case QUOTA -> "have the account's concurrency raised, or ask for less with --option reserved=…";
            default -> "put right what AWS names";
        };
    }
}
