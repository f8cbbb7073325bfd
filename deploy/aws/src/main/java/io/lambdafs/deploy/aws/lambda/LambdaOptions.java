package io.lambdafs.deploy.aws.lambda;

import io.lambdafs.deploy.DeployFailure;
import io.lambdafs.deploy.Problem;
import io.lambdafs.deploy.Target;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The options for Lambda, given as {@code --option key=value}. Immutable.
 *
 * @param region region of the functions
 * @param endpoint address for all services; null for AWS's own
 * @param mode {@code invocation} or {@code held}
 * @param subnets private subnets with access to the store; empty for no VPC
 * @param securityGroups security groups of the functions in them
 * @param role ARN of the functions' role; empty to create one
 * @param alias alias that clients call
 * @param architecture {@code x86_64} or {@code arm64}
 * @param reserved concurrency reserved for each function, and its limit; 0 for none
 * @param provisioned environments kept initialised for each function; 0 for none
 * @param snapStart whether environments resume from a snapshot
 * @param kmsKey ARN of the key that encrypts the functions' variables; empty for Lambda's own
 * @param logDays how long CloudWatch keeps the functions' log lines, one of its periods
 */
record LambdaOptions(
        String region,
        @Nullable URI endpoint,
        String mode,
        List<String> subnets,
        List<String> securityGroups,
        String role,
        String alias,
        String architecture,
        int reserved,
        int provisioned,
        boolean snapStart,
        String kmsKey,
        int logDays) {
    static final Set<String> KEYS = Set.of(
            "region",
            "mode",
            "subnets",
            "security-groups",
            "role",
            "alias",
            "architecture",
            "reserved",
            "provisioned",
            "snapstart",
            "kms-key",
            "log-days");

    private static final String PERIODS =
            "1|3|5|7|14|30|60|90|120|150|180|365|400|545|731|1096|1827|2192|2557|2922|3288|3653";

    static LambdaOptions of(Target target) {
        int provisioned = number(target, "provisioned", 1_000);
        String snapStart = choice(target, "snapstart", provisioned == 0 ? "on" : "off", "on|off");
        String region = target.option("region", ambient());
        if (!region.matches("[a-z]{2}(-[a-z]+)+-[0-9]")) {
            throw wrong(
                    region.isEmpty()
                            ? "no region is given: give --option region=… or set AWS_REGION"
                            : "region \"" + region + "\" is none of AWS's: correct --option region=…");
        }
        if (provisioned > 0 && snapStart.equals("on")) {
            throw wrong("Lambda has no provisioned concurrency with SnapStart: leave one of the options out");
        }
        LambdaOptions options = new LambdaOptions(
                region,
                target.apiHost(),
                choice(target, "mode", "invocation", "invocation|held"),
                list(target, "subnets"),
                list(target, "security-groups"),
                target.option("role", ""),
                target.option("alias", "live"),
                choice(target, "architecture", "x86_64", "x86_64|arm64"),
                number(target, "reserved", 10_000),
                provisioned,
                snapStart.equals("on"),
                target.option("kms-key", ""),
                Integer.parseInt(choice(target, "log-days", "30", PERIODS)));
        if (options.subnets.isEmpty() != options.securityGroups.isEmpty()) {
            throw wrong("subnets and security-groups go together: give both, or neither");
        }
        return options;
    }

    private static String ambient() {
        String region = System.getenv("AWS_REGION");
        String other = System.getenv("AWS_DEFAULT_REGION");
        return region != null ? region : other != null ? other : "";
    }

    private static List<String> list(Target target, String key) {
        return Arrays.stream(target.option(key, "").split(",", -1))
                .map(String::strip)
                .filter(each -> !each.isEmpty())
                .toList();
    }

    private static String choice(Target target, String key, String otherwise, String pattern) {
        String value = target.option(key, otherwise);
        if (!value.matches(pattern)) {
            throw wrong("option " + key + " must be " + pattern.replace("|", " or ") + ", not \"" + value + "\"");
        }
        return value;
    }

    private static int number(Target target, String key, int most) {
        String value = target.option(key, "0");
        if (!value.matches("[0-9]{1,6}") || Integer.parseInt(value) > most) {
            throw wrong("option " + key + " must be a number up to " + most + ", not \"" + value + "\"");
        }
        return Integer.parseInt(value);
    }

    private static DeployFailure wrong(String what) {
        return new DeployFailure(Problem.Code.CONFIGURATION, what);
    }
}
