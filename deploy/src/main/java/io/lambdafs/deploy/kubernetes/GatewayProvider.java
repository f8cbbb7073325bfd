package io.lambdafs.deploy.kubernetes;

import io.lambdafs.deploy.DeployFailure;
import io.lambdafs.deploy.Platform;
import io.lambdafs.deploy.PlatformProvider;
import io.lambdafs.deploy.Problem;
import io.lambdafs.deploy.Target;
import java.util.Set;

/** {@code --platform kubernetes}. Stateless. */
public final class GatewayProvider implements PlatformProvider {
    /** The gateway's address for clients; by default, its Service's in the cluster. */
    static final String URL = "url";
    /** The type of the gateway's Service: ClusterIP, NodePort or LoadBalancer. */
    static final String SERVICE = "service";
    /** Memory of all instances' pods, in megabytes; 8192 by default. */
    static final String POOL = "pool";
    /** Maximum number of a function's pods; 16 by default. */
    static final String MAX_INSTANCES = "max-instances";
    /** Number of gateways, of which one leads and the others stand by; 1 by default. */
    static final String REPLICAS = "replicas";
    /** Seconds until the gateway must be available; 120 by default, 0 not to wait. */
    static final String WAIT = "wait";

    @Override
    public String name() {
        return "kubernetes";
    }

    @Override
    public Set<String> options() {
        return Set.of(URL, SERVICE, POOL, MAX_INSTANCES, REPLICAS, Target.OFFLINE, WAIT);
    }

    @Override
    public Platform open(Target target) {
        if (target.authFile() == null && !target.isOffline()) {
            throw new DeployFailure(
                    Problem.Code.CONFIGURATION,
                    "the gateway's clients show it a key: give --auth-file FILE, which is made where it is missing");
        }
        return new GatewayPlatform(target, target.authFile(), Cluster.open(target));
    }
}
