package io.lambdafs.deploy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Checks the names in a specification before any platform is contacted. Stateless. */
final class SpecChecks {
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final String OURS = "LAMBDAFS_";

    /** Variables that a deployment or a gateway sets. */
    private static final Set<String> SET = Set.of(
            "LAMBDAFS_ACTION_KEY",
            "LAMBDAFS_ACTION_PORT",
            "LAMBDAFS_ACTION_PORT_FILE",
            "LAMBDAFS_ADVERTISED_HOST",
            "LAMBDAFS_CONF",
            "LAMBDAFS_CONFIG",
            "LAMBDAFS_DEPLOYMENT",
            "LAMBDAFS_INSTANCE_ID",
            "LAMBDAFS_MODE",
            "LAMBDAFS_PARENT_GRACE_MILLIS",
            "LAMBDAFS_PARENT_PID",
            "LAMBDAFS_SECRET");

    /** Other variables that an instance reads. */
    private static final Set<String> OPEN =
            Set.of("LAMBDAFS_IDLE_MILLIS", "LAMBDAFS_LISTEN_HOST", "LAMBDAFS_LOG_MARKERS", "LAMBDAFS_MAX_HELD");

    /** Variables that platforms set or reserve. */
    private static final Pattern THEIRS = Pattern.compile(
            "PORT|K_SERVICE|K_CONFIGURATION|K_REVISION|__OW_.*|_HANDLER|_X_AMZN_TRACE_ID|AWS_LAMBDA_.*|LAMBDA_(TASK_ROOT|RUNTIME_DIR)");

    private SpecChecks() {}

    /** Returns the names of λFS's own variables that an instance reads. */
    static Set<String> known() {
        Set<String> all = new TreeSet<>(SET);
        all.addAll(OPEN);
        return all;
    }

    static List<Problem> of(FunctionsSpec wanted) {
        List<Problem> problems = new ArrayList<>();
        if (!wanted.image().isEmpty()) {
            image(wanted.image(), problems);
        }
        wanted.environment().forEach((name, value) -> variable(name, value, problems));
        return problems;
    }

    private static void image(String image, List<Problem> problems) {
        ImageReference.fault(image)
                .ifPresentOrElse(
                        fault -> problems.add(Problem.fault(
                                Problem.Code.IMAGE,
                                "the image \"" + image + "\" is invalid: " + fault,
                                "correct --image: REGISTRY/NAME:TAG or REGISTRY/NAME@sha256:DIGEST")),
                        () -> ImageReference.of(image)
                                .filter(ImageReference::isMoving)
                                .ifPresent(moving -> problems.add(Problem.advice(
                                        Problem.Code.IMAGE,
                                        "the image " + image + " has no fixed version"
                                                + (moving.tag().isEmpty() ? ", because it has no tag" : ""),
                                        "name a tag or a digest, so that all instances run the same build"))));
    }

    private static void variable(String name, String value, List<Problem> problems) {
        if (!VARIABLE.matcher(name).matches()) {
            problems.add(wrong(
                    "\"" + name + "\" is not a variable's name",
                    "use letters, digits and _, and no digit first: correct --env"));
        } else if (value.indexOf('\0') >= 0) {
            problems.add(wrong("the variable " + name + " contains a zero byte", "correct --env"));
        } else if (SET.contains(name)) {
            problems.add(wrong("λFS sets the variable " + name + " itself", "leave it out of --env"));
        } else if (name.startsWith(OURS) && !OPEN.contains(name)) {
            problems.add(wrong(
                    "no instance reads a variable " + name,
                    "the known ones are " + String.join(", ", new TreeSet<>(OPEN))));
        } else if (THEIRS.matcher(name).matches()) {
            problems.add(wrong("platforms set the variable " + name + " themselves", "leave it out of --env"));
        }
    }

    private static Problem wrong(String what, String change) {
        return Problem.fault(Problem.Code.CONFIGURATION, what, change);
    }
}
