/**
 * The gateway on Kubernetes: an {@link io.lambdafs.platform.local.instance.InstanceLauncher} that runs every instance
 * as a pod. The cluster's operator writes a template of an instance's pod (image, volumes, secrets); the launcher adds
 * the parts that differ between instances.
 */
@NullMarked
package io.lambdafs.platform.kubernetes;

import org.jspecify.annotations.NullMarked;
