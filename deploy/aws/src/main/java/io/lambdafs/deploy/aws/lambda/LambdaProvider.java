package io.lambdafs.deploy.aws.lambda;

import io.lambdafs.deploy.Platform;
import io.lambdafs.deploy.PlatformProvider;
import io.lambdafs.deploy.Target;
import java.util.Set;

/** Offers the platform {@code lambda} to {@code deploy}. Stateless. */
public final class LambdaProvider implements PlatformProvider {
    @Override
    public String name() {
        return "lambda";
    }

    @Override
    public Set<String> options() {
        return LambdaOptions.KEYS;
    }

    @Override
    public Platform open(Target target) {
        return LambdaPlatform.open(LambdaOptions.of(target));
    }
}
