/** Deploys on Kubernetes, by server-side apply: Knative Services, or λFS's own gateway with pods as instances. */
@NullMarked
package io.lambdafs.deploy.kubernetes;

import org.jspecify.annotations.NullMarked;
