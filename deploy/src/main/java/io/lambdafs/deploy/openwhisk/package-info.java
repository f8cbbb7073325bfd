/** Deploys functions on Apache OpenWhisk and platforms with its REST API, such as λFS's own gateway. */
@NullMarked
package io.lambdafs.deploy.openwhisk;

import org.jspecify.annotations.NullMarked;
