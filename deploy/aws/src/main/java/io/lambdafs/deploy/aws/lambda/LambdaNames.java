package io.lambdafs.deploy.aws.lambda;

import io.lambdafs.deploy.FunctionsSpec;
import io.lambdafs.deploy.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Finds names of images and variables that Lambda does not accept. Stateless. */
final class LambdaNames {
    private static final Pattern ECR = Pattern.compile("[0-9]{12}\\.dkr\\.ecr(-fips)?\\.[a-z0-9-]+\\.[a-z0-9.-]+/.+");

    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z][A-Za-z0-9_]+");

    private static final Pattern RESERVED = Pattern.compile(
            "AWS_(REGION|DEFAULT_REGION|EXECUTION_ENV|ACCESS_KEY|ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN)");

    /** Set for functions with a ZIP. */
    private static final String OPTIONS = "JAVA_TOOL_OPTIONS";

    private LambdaNames() {}

    static List<Problem> problems(FunctionsSpec wanted) {
        List<Problem> problems = new ArrayList<>();
        boolean isZip = wanted.image().isEmpty();
        if (!isZip && !ECR.matcher(wanted.image()).matches()) {
            problems.add(Problem.fault(
                    Problem.Code.IMAGE,
                    "Lambda only accepts images in ECR, not " + wanted.image(),
                    "push it there, and give --image ACCOUNT.dkr.ecr.REGION.amazonaws.com/NAME:TAG"));
        }
        for (String name : wanted.environment().keySet()) {
            if (!VARIABLE.matcher(name).matches()) {
                problems.add(wrong(
                        "Lambda does not accept the variable " + name,
                        "use at least two letters, digits and _, with a letter first: correct --env"));
            } else if (RESERVED.matcher(name).matches() || (isZip && name.equals(OPTIONS))) {
                problems.add(wrong("the variable " + name + " is set by Lambda, or for it", "leave it out of --env"));
            }
        }
        return problems;
    }

    private static Problem wrong(String what, String change) {
        return Problem.fault(Problem.Code.CONFIGURATION, what, change);
    }
}
