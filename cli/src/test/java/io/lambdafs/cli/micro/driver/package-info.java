/** The measuring process's parts, without a process. */
package io.lambdafs.cli.micro.driver;
