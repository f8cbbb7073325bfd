package io.lambdafs.deploy.kubernetes;

import io.lambdafs.deploy.DeployFailure;
import io.lambdafs.deploy.Platform;
import io.lambdafs.deploy.PlatformProvider;
import io.lambdafs.deploy.Problem;
import io.lambdafs.deploy.Target;
import java.util.Set;

/** {@code --platform knative}. Stateless. */
public final class KnativeProvider implements PlatformProvider {
    /** How clients reach a function, with <code>{function}</code> for its name; what Knative says, or the cluster's own address, unless given. */
    static final String URL = "url";
    /** Seconds until every function must be ready; 0 not to wait. */
    static final String WAIT = "wait";

    @Override
    public String name() {
        return "knative";
    }

    @Override
    public Set<String> options() {
        return Set.of(URL, Target.OFFLINE, WAIT);
    }

    @Override
    public Platform open(Target target) {
        return new KnativePlatform(target, Cluster.open(target), seconds(target));
    }

    static int seconds(Target target) {
        String text = target.option(WAIT, "120");
        if (!text.matches("[0-9]{1,5}")) {
            throw new DeployFailure(Problem.Code.CONFIGURATION, "the option wait takes seconds, not \"" + text + "\"");
        }
        return Integer.parseInt(text);
    }
}
