package io.lambdafs.deploy.openwhisk;

import io.lambdafs.deploy.DeployFailure;
import io.lambdafs.deploy.Problem;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.platform.Json;
import io.lambdafs.platform.openwhisk.DeployException;
import io.lambdafs.platform.openwhisk.OpenWhiskDeployer;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Converts OpenWhisk's refusals into failures of a deployment. Stateless. */
final class Faults {
    private Faults() {}

    /** Returns the failure of an API call. */
    static DeployFailure of(Throwable thrown, URI host) {
        if (thrown instanceof DeployException refused) {
            return failure(code(refused.status(), said(refused)), String.valueOf(refused.getMessage()), refused);
        }
        if (thrown instanceof FsException typed) {
            boolean known = typed.code() == ErrorCode.UNAUTHENTICATED || typed.code() == ErrorCode.NOT_TRUSTED;
            return failure(
                    known ? Problem.Code.CREDENTIALS : Problem.Code.PLATFORM_FAILED,
                    String.valueOf(typed.getMessage()),
                    typed);
        }
        if (thrown instanceof IOException) {
            return failure(Problem.Code.UNREACHABLE, host + " does not answer: " + thrown.getMessage(), thrown);
        }
        return failure(Problem.Code.PLATFORM_FAILED, String.valueOf(thrown), thrown);
    }

    private static DeployFailure failure(Problem.Code code, String what, Throwable cause) {
        return new DeployFailure(Problem.fault(code, what, change(code)), cause);
    }

    private static String said(DeployException refused) {
        return String.valueOf(refused.getMessage()).toLowerCase(Locale.ROOT);
    }

    private static Problem.Code code(int status, String said) {
        return switch (status) {
            case 401 -> Problem.Code.CREDENTIALS;
            case 403 -> Problem.Code.FORBIDDEN;
            case 409 -> Problem.Code.NAME_TAKEN;
            case 429 -> Problem.Code.RATE;
            case 400 -> limit(said);
            default -> Problem.Code.PLATFORM_FAILED;
        };
    }

    /** Finds the exceeded limit in the text of a 400. */
    private static Problem.Code limit(String said) {
        if (said.contains("concurrency") || said.contains("concurrent")) {
            return Problem.Code.CONCURRENCY;
        }
        if (said.contains("memory")) {
            return Problem.Code.MEMORY;
        }
        if (said.contains("timeout") || said.contains("duration") || said.contains("milliseconds")) {
            return Problem.Code.TIME_LIMIT;
        }
        return said.contains("image") || said.contains("kind") ? Problem.Code.IMAGE : Problem.Code.PLATFORM_FAILED;
    }

    /** Returns the failure shown by the call that tests whether the container starts. */
    static DeployFailure ofCall(String function, OpenWhiskDeployer.Outcome outcome) {
        Problem.Code code = switch (outcome.status()) {
            case 429 -> Problem.Code.RATE;
            case 503 -> Problem.Code.QUOTA;
            default -> Problem.Code.ofStart(outcome.body());
        };
        String change = code == Problem.Code.PLATFORM_FAILED
                ? "see the invokers' log: the image does not start, or they have no memory left"
                : change(code);
        return new DeployFailure(
                Problem.fault(
                        code,
                        "a first call of " + function + " was answered " + outcome.status() + ": "
                                + reason(outcome.body()),
                        change),
                null);
    }

    /** Returns the reason in OpenWhisk's reply, without its codes. */
    private static String reason(String body) {
        try {
            String error = Json.parseObject(body.getBytes(StandardCharsets.UTF_8))
                    .path("error")
                    .asText();
            return error.isEmpty() ? body : error;
        } catch (IllegalArgumentException notJson) {
            return body;
        }
    }

    /** Returns the remedy of a refusal. */
    private static String change(Problem.Code code) {
        return switch (code) {
            case UNREACHABLE -> "check --apihost, and that OpenWhisk runs";
            case CREDENTIALS -> "check the key in --auth-file, as wskprops has it";
            case FORBIDDEN ->
                "use a key that may change actions of this namespace, or name another one with --namespace";
            case QUOTA -> "see that invokers run, and that their user memory is not used up";
            case IMAGE -> "check --image, and that OpenWhisk may pull it";
            case ARCHITECTURE -> "make the image for the invokers' processors";
            case RATE -> "wait a minute, and have the namespace's limits raised";
            default -> "see the controller's log";
        };
    }
}
